"""What the core needs from outside, as Protocols. Each says what an implementation, and a fake, must honour."""
