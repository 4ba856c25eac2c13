"""AWS service models, as botocore's wheels carry them, as symbols and a graph of shapes."""

from refdesk.ingest.aws.parse import parse_aws

__all__ = ["parse_aws"]
