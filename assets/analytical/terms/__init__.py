"""The terms that set a list apart: words and phrases that its papers hold more often than others do."""
