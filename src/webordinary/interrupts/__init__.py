"""Why a running attempt should stop, and how a waiting worker is woken."""
