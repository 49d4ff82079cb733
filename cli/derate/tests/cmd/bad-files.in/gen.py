print('int a;')
