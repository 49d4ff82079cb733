typedef double coef16_t;

int main() { return 0; }
