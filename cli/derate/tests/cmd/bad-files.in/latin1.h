using a_t = float; // café
