"""Where does the judge fail: agreement in each group that a column makes of the items, and which group departs."""
