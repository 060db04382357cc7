"""What people look at: the terminal (`console`) and figures (`plots`)."""
