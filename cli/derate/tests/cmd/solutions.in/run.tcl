# Synthesises a dot product twice; start it in this folder.
open_project dot_prj
set_top dot
add_files dot.cpp
open_solution base
set_part {xc7z020clg400-1}
create_clock -period 10 -name default
csynth_design
open_solution fast
set_part {xc7z020clg400-1}
create_clock -period 4 -name default
set_directive_pipeline -II 1 dot/MULTIPLY
csynth_design
exit
