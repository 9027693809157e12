"""What every long list shares: filters that are addresses, pages that are bounded, and sheets for a spreadsheet."""
