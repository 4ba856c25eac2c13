"""Files that tell how many of them were read: the progress of a parser that knows nothing of progress."""

from collections.abc import Iterator, Mapping

from refdesk.ports.progress import Progress, Step

_EACH = 10


class WatchedFiles(Mapping[str, bytes]):
    """The files of a source, which report each first reading of one."""

    def __init__(self, files: Mapping[str, bytes], subject: str, progress: Progress) -> None:
        self._files = files
        self._subject = subject
        self._progress = progress
        self._unread = set(files)

    def __getitem__(self, path: str) -> bytes:
        data = self._files[path]
        if path in self._unread:  # what a document includes is none of them
            self._unread.remove(path)
            done = len(self._files) - len(self._unread)
            if done % _EACH == 0 or done == len(self._files):
                self._progress(Step("convert", self._subject, done, len(self._files), "files"))
        return data

    def __contains__(self, path: object) -> bool:
        return path in self._files

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)
