# Synthesises the filter; start it in this folder.
open_project -reset fir_prj
set_top fir
add_files "src/fir.cpp src/taps.h" -cflags "-DTAPS=16"
add_files -tb src/fir_test.cpp
open_solution -reset "solution1" -flow_target vivado
set_part {xc7z020clg400-1}
create_clock -period 10 -name default
csynth_design
exit
