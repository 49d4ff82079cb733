"""Architectures that torchvision, timm and transformers build from their configurations, without downloads."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import torch


@dataclass
class Architecture:
    """A model without weights, and one call of it."""

    name: str
    family: str
    build: Callable[[], torch.nn.Module]
    inputs: Callable[[], Any]


def _image(size: int = 224, batch: int = 1) -> Callable[[], Any]:
    return lambda: (torch.empty(batch, 3, size, size),)


def _torchvision() -> Iterator[Architecture]:
    from torchvision import models

    def one(name: str, family: str, inputs: Callable[[], Any], module: Any = models, **more: Any) -> Architecture:
        return Architecture(f"torchvision/{name}", family, lambda: getattr(module, name)(weights=None, **more), inputs)

    cnn = ["alexnet", "vgg16", "vgg16_bn", "resnet18", "resnet50", "resnext50_32x4d", "wide_resnet50_2", "squeezenet1_1",
           "densenet121", "mobilenet_v2", "mobilenet_v3_small", "shufflenet_v2_x1_0", "mnasnet1_0", "efficientnet_b0",
           "efficientnet_v2_s", "regnet_y_400mf", "convnext_tiny"]
    for name in cnn:
        yield one(name, "CNN", _image())
    yield one("googlenet", "CNN", _image(), init_weights=False)
    yield one("inception_v3", "CNN", _image(299), init_weights=False)
    for name in ["vit_b_16", "vit_b_32"]:
        yield one(name, "ViT", _image())
    for name in ["swin_t", "swin_v2_t", "maxvit_t"]:
        yield one(name, "windowed attention", _image())
    for name in ["fcn_resnet50", "deeplabv3_resnet50", "lraspp_mobilenet_v3_large"]:
        yield one(name, "segmentation", _image(), models.segmentation, weights_backbone=None)
    yield one("r3d_18", "3-D CNN", lambda: (torch.empty(1, 3, 8, 112, 112),), models.video)
    yield one("mvit_v1_b", "video transformer", lambda: (torch.empty(1, 3, 16, 224, 224),), models.video)
    yield one("raft_small", "optical flow", lambda: (torch.empty(1, 3, 128, 128), torch.empty(1, 3, 128, 128)), models.optical_flow)


def _timm() -> Iterator[Architecture]:
    import timm

    families = {
        "CNN": ["convnextv2_tiny", "efficientnet_lite0", "ghostnet_100", "hrnet_w18_small", "nfnet_f0", "repvgg_a0",
                "tf_efficientnetv2_b0", "mobilenetv4_conv_small", "fastvit_t8", "dla34"],
        "ViT": ["vit_tiny_patch16_224", "deit_small_patch16_224", "vit_small_patch14_dinov2", "eva02_tiny_patch14_224",
                "vit_so150m_patch16_reg4_gap_256", "cait_xxs24_224", "xcit_nano_12_p16_224", "beit_base_patch16_224"],
        "mixer": ["mixer_s32_224", "gmlp_s16_224", "resmlp_12_224"],
        "hybrid": ["levit_128s", "mobilevit_s", "coatnet_0_rw_224", "efficientformer_l1", "poolformer_s12", "tiny_vit_5m_224",
                   "edgenext_small", "pvt_v2_b0"],
        "windowed attention": ["swinv2_tiny_window8_256", "twins_svt_small"],
    }
    for family, names in families.items():
        for name in names:
            def build(name: str = name) -> torch.nn.Module:
                return timm.create_model(name, pretrained=False)

            def inputs(name: str = name) -> Any:
                size = timm.models.get_pretrained_cfg(name).input_size
                return (torch.empty(1, *size),)

            yield Architecture(f"timm/{name}", family, build, inputs)


def _tokens(length: int, batch: int = 1, **more: Any) -> Callable[[], dict[str, Any]]:
    def inputs() -> dict[str, Any]:
        return {"input_ids": torch.zeros(batch, length, dtype=torch.int64), "use_cache": False, **more}

    return inputs


def _transformers() -> Iterator[Architecture]:
    import transformers as hf

    def language(name: str, config: Callable[[], Any], inputs: Callable[[], Any], family: str = "decoder") -> Architecture:
        return Architecture(f"transformers/{name}", family, lambda: hf.AutoModelForCausalLM.from_config(config()), inputs)

    small = dict(hidden_size=256, intermediate_size=704, num_hidden_layers=4, num_attention_heads=8, vocab_size=8192)
    grouped = dict(small, num_key_value_heads=2)
    yield language("llama", lambda: hf.LlamaConfig(**grouped), _tokens(64))
    yield language("llama-2-7b", lambda: hf.LlamaConfig(), _tokens(16))
    yield language("mistral", lambda: hf.MistralConfig(**grouped), _tokens(64))
    yield language("qwen2", lambda: hf.Qwen2Config(**grouped), _tokens(64))
    yield language("qwen3", lambda: hf.Qwen3Config(**grouped, head_dim=32), _tokens(64))
    yield language("gemma2", lambda: hf.Gemma2Config(**grouped, head_dim=32), _tokens(64))
    yield language("phi3", lambda: hf.Phi3Config(**grouped, pad_token_id=0, bos_token_id=1, eos_token_id=2), _tokens(64))
    yield language("gpt2", lambda: hf.GPT2Config(), _tokens(64))
    yield language("gpt-neox", lambda: hf.GPTNeoXConfig(**small), _tokens(64))
    yield language("opt", lambda: hf.OPTConfig(hidden_size=256, ffn_dim=1024, num_hidden_layers=4, num_attention_heads=8, word_embed_proj_dim=256), _tokens(64))
    yield language("bloom", lambda: hf.BloomConfig(hidden_size=256, n_layer=4, n_head=8, vocab_size=8192), _tokens(64))
    yield language("mamba", lambda: hf.MambaConfig(hidden_size=256, num_hidden_layers=4, vocab_size=8192), _tokens(32), "state space")
    yield language("mamba2", lambda: hf.Mamba2Config(hidden_size=256, num_hidden_layers=4, vocab_size=8192, num_heads=16, head_dim=32, n_groups=1), _tokens(32), "state space")
    yield language("mixtral", lambda: hf.MixtralConfig(**dict(grouped, num_local_experts=4)), _tokens(16), "mixture of experts")

    def model(name: str, family: str, kind: str, config: Callable[[], Any], inputs: Callable[[], Any]) -> Architecture:
        return Architecture(f"transformers/{name}", family, lambda: getattr(hf, kind)(config()), inputs)

    def ids(length: int) -> torch.Tensor:
        return torch.zeros(1, length, dtype=torch.int64)

    encoder = dict(hidden_size=256, num_hidden_layers=4, num_attention_heads=8, intermediate_size=1024)
    yield model("bert", "encoder", "BertModel", lambda: hf.BertConfig(**encoder), lambda: (ids(64),))
    yield model("roberta", "encoder", "RobertaModel", lambda: hf.RobertaConfig(**encoder), lambda: (ids(64),))
    yield model("distilbert", "encoder", "DistilBertModel", lambda: hf.DistilBertConfig(), lambda: (ids(64),))
    yield model("albert", "encoder", "AlbertModel", lambda: hf.AlbertConfig(**encoder), lambda: (ids(64),))
    yield model("deberta-v2", "encoder", "DebertaV2Model", lambda: hf.DebertaV2Config(**encoder), lambda: (ids(32),))
    yield model("electra", "encoder", "ElectraModel", lambda: hf.ElectraConfig(), lambda: (ids(64),))
    both = lambda n, m: (lambda: {"input_ids": ids(n), "decoder_input_ids": ids(m), "use_cache": False})  # noqa: E731
    yield model("t5-small", "encoder-decoder", "T5ForConditionalGeneration", lambda: hf.T5Config(), both(64, 16))
    yield model("bart", "encoder-decoder", "BartModel", lambda: hf.BartConfig(d_model=256, encoder_layers=3, decoder_layers=3, encoder_ffn_dim=1024, decoder_ffn_dim=1024, encoder_attention_heads=8, decoder_attention_heads=8), both(64, 16))
    yield model("whisper-tiny", "speech", "WhisperForConditionalGeneration",
                lambda: hf.WhisperConfig(d_model=384, encoder_layers=4, decoder_layers=4, encoder_attention_heads=6, decoder_attention_heads=6, encoder_ffn_dim=1536, decoder_ffn_dim=1536),
                lambda: {"input_features": torch.empty(1, 80, 3000), "decoder_input_ids": ids(8), "use_cache": False})
    yield model("wav2vec2", "speech", "Wav2Vec2Model", lambda: hf.Wav2Vec2Config(**encoder), lambda: (torch.empty(1, 16000),))
    yield model("clip", "vision and language", "CLIPModel", lambda: hf.CLIPConfig(), lambda: {"input_ids": ids(16), "pixel_values": torch.empty(1, 3, 224, 224)})
    yield model("siglip-vision", "ViT", "SiglipVisionModel", lambda: hf.SiglipVisionConfig(), _image())
    yield model("dinov2", "ViT", "Dinov2Model", lambda: hf.Dinov2Config(**encoder), _image())
    yield model("segformer", "segmentation", "SegformerForSemanticSegmentation", lambda: hf.SegformerConfig(), _image(256))
    yield model("mobilevit", "hybrid", "MobileViTModel", lambda: hf.MobileViTConfig(), _image(256))


def architectures() -> list[Architecture]:
    """All of them."""
    return [*_torchvision(), *_timm(), *_transformers()]
