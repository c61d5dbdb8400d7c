int declared;
