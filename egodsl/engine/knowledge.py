"""What players know: views, observations, and dealing anew what a player cannot know.

All of it is derived from the log when somebody asks; playing on costs nothing for it.
"""

from egodsl.engine.observing import Observation, observations
from egodsl.engine.redealing import redeal
from egodsl.engine.tracking import tracker_of
from egodsl.engine.views import VariableView, View, ZoneView, view

__all__ = ["Observation", "VariableView", "View", "ZoneView", "observations", "redeal", "tracker_of", "view"]
