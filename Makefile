# The front door. Every recipe is a line; logic lives in Rust.

PROJECT ?= fixtures/smolvla
OUT     ?= reports/out
CARGO   ?= cargo
# Without the page of `derate serve`, Parquet and the language server, which no recipe here uses.
DERATE   = $(CARGO) run --quiet --profile quick --package derate --no-default-features --

.DEFAULT_GOAL := help
.PHONY: help toolchain setup model paper audit validate wheel test test-models test-xrt test-page check package docs golden fit score bench clean

help: ## print this help
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo '  PROJECT=dir chooses the project (default fixtures/smolvla), OUT=dir the target of make model.'

toolchain:
	@./scripts/toolchain

setup: toolchain ## fetch what the tests need beyond cargo, or say what they skip
	@./scripts/ap-types
	@./scripts/xrt
	@./scripts/office
	@./scripts/browser
	@./scripts/nvrtc
	@./scripts/typst --fetch
	@./scripts/python

model: toolchain ## audit, estimate and report PROJECT into OUT
	@$(DERATE) report $(PROJECT) --out $(OUT)

paper: toolchain ## the report of PROJECT as a PDF, OUT/report.pdf, with typst where it is there
	@$(DERATE) report $(PROJECT) --out $(OUT) --format typst >/dev/null
	@./scripts/typst --fetch
	@./scripts/typst $(OUT)/report.typ && echo "wrote $(OUT)/report.pdf"

audit: toolchain ## the strict form for CI: fails if a claim does not hold
	@$(DERATE) audit $(PROJECT)

VERDICTS = supported refuted implausible inconclusive not-evidence

validate: toolchain ## show each verdict on fixtures/measurements; a folder's name begins with the one that it must get
	@for verdict in $(VERDICTS); do $(DERATE) validate --expect $$verdict fixtures/measurements/$$verdict-*/measurement.json || exit 1; done

test: setup ## run all tests
	$(CARGO) test --workspace
	@CARGO=$(CARGO) ./scripts/nvrtc --test

test-xrt: setup ## run the tests on XRT's real library; fails where it is not installed
	DERATE_TEST_XRT=1 $(CARGO) test --package derate --test emu_run --test emu_profile --test emu_bench --test book
	DERATE_TEST_XRT=1 $(CARGO) test --package derate --test command emu::

wheel: setup ## build the Python wheel and the binary's archive into target/dist, as a release has them
	MATURIN=$(PWD)/target/python/tools/bin/maturin CARGO=$(CARGO) ./scripts/release target/dist

test-models: toolchain ## hold traced models against PyTorch and run the notebooks, in an environment of their own (6 GB, long)
	@CARGO=$(CARGO) ./scripts/test-models

test-page: setup ## run the tests of the report's page and of derate serve's in a browser; fails where none is installed
	DERATE_TEST_PAGE=1 $(CARGO) test --package derate-render --test page
	DERATE_TEST_PAGE=1 $(CARGO) test --package derate --test serve_page

check: toolchain ## formatting, lints, fuzz targets, documentation, licences of dependencies, packages, links
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings
	$(CARGO) check --manifest-path fuzz/Cargo.toml --target-dir target/fuzz --locked --quiet
	RUSTDOCFLAGS='-D warnings' $(CARGO) doc --workspace --no-deps --locked --quiet
	@./scripts/deny
	$(CARGO) package --workspace --no-verify --allow-dirty --locked --quiet
	@./scripts/links.py README.md CONTRIBUTING.md CHANGELOG.md examples docs model hls host reports cli

package: toolchain ## build each package as a registry would (minutes)
	$(CARGO) package --workspace --allow-dirty --locked --quiet

docs: toolchain ## build the book into target/book and check its links
	@./scripts/book

golden: toolchain ## write the snapshots, the book's generated pages and what the README shows anew; look at the difference
	INSTA_UPDATE=always TRYCMD=overwrite $(CARGO) test --workspace

fit: toolchain ## fit the constants of GEMM times to fixtures/gpu_gemm anew (minutes); `make golden` after it
	INSTA_UPDATE=always $(CARGO) test --release --package derate-model --test validation_page -- --ignored --exact validation::gemm_fit::the_constants_are_those_of_the_fit

score: toolchain ## hold the kernel model against the laid designs in LAID; SET=set or SET=set/kernel chooses
	@if [ ! -d "$(LAID)" ]; then echo "make score: LAID=dir is missing: a folder of laid designs, whose form docs/book/src/modelling.md gives" >&2; exit 2; fi
	$(CARGO) run --quiet --release --package derate-kernel --example score -- "$(LAID)" $(SET)

bench: toolchain ## show how fast it is
	$(CARGO) bench --quiet -p derate-model --bench whole_model --bench language
	$(CARGO) bench --quiet -p derate-kernel --bench schedule
	$(CARGO) bench --quiet -p derate-explore --bench search
	$(CARGO) bench --quiet -p derate-reports --bench main_job --bench large_sources
	$(CARGO) bench --quiet -p derate-device --bench beside_the_machine --bench packed_gemv
	$(CARGO) bench --quiet -p derate --bench report --bench serve
	@./scripts/python && CARGO=$(CARGO) ./scripts/python-bench
	$(CARGO) test --quiet --release --package derate --test emu_bench -- --exact a_launch_takes_at_most_half_a_millisecond

clean: ## remove build outputs and reports
	$(CARGO) clean
	rm -rf $(OUT)
