"""What a distribution of your own may rely on: the names of this module stay where they are (docs/howto/extend.md)."""

from __future__ import annotations

from webordinary.agent.agent import Agent, Event, EventKind, Mender, Report, Task, WhyStopped
from webordinary.agent.command import CommandAgent
from webordinary.agent.kind import AgentKind, AgentSurroundings, AgentTable
from webordinary.child import Child
from webordinary.errors import AgentFailed, Interrupted, LostOwnership, Misconfigured, PublishFailed, TryAgain
from webordinary.jobs.repairs import Findings, Found, FoundKind
from webordinary.languages import Language, lacking
from webordinary.mail.door import DoorKind, OpenDoor
from webordinary.mail.inbox import Envelope
from webordinary.routing.project import Project, SiteTarget
from webordinary.site.sites import Release, Switched
from webordinary.site.targets.host_files import EntryKind, HostEntry, HostFiles, HostRefused, NotAllowed, NotThere
from webordinary.site.targets.host_sites import HostedSites, seen_by_doctor
from webordinary.site.targets.target import EnginePlaces, Live, PublishTarget, SiteTable
from webordinary.values import Section
from webordinary.variants import read_options

__all__ = [
    "Agent",
    "AgentFailed",
    "AgentKind",
    "AgentSurroundings",
    "AgentTable",
    "Child",
    "CommandAgent",
    "DoorKind",
    "EnginePlaces",
    "EntryKind",
    "Envelope",
    "Event",
    "EventKind",
    "Findings",
    "Found",
    "FoundKind",
    "HostEntry",
    "HostFiles",
    "HostRefused",
    "HostedSites",
    "Interrupted",
    "Language",
    "Live",
    "LostOwnership",
    "Mender",
    "Misconfigured",
    "NotAllowed",
    "NotThere",
    "OpenDoor",
    "Project",
    "PublishFailed",
    "PublishTarget",
    "Release",
    "Report",
    "Section",
    "SiteTable",
    "SiteTarget",
    "Switched",
    "Task",
    "TryAgain",
    "WhyStopped",
    "lacking",
    "read_options",
    "seen_by_doctor",
]
