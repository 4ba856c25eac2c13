import pytest

from refdesk.ingest.aws.naming import method_name

NAMES = {
    "PutObject": "put_object",
    "ListObjectsV2": "list_objects_v2",
    "DescribeDBInstances": "describe_db_instances",
    "GetACLs": "get_acls",
    "GetWebACLForResource": "get_web_acl_for_resource",
    "ListResourceARNs": "list_resource_arns",
    "CreateStorediSCSIVolume": "create_stored_iscsi_volume",
    "DescribeCachediSCSIVolumes": "describe_cached_iscsi_volumes",
    "ListHITsForQualificationType": "list_hits_for_qualification_type",
    "ExecutePartiQLStatement": "execute_partiql_statement",
    "CreateOAuth2Token": "create_oauth2_token",
    "RevokeOAuth2TokenWithIAM": "revoke_oauth2_token_with_iam",
    "CreateOAuth2TokenWithTokenExchange": "create_o_auth2_token_with_token_exchange",
    "SendWhatsAppMessage": "send_whatsapp_message",
    "GetOTelEnrichment": "get_otel_enrichment",
    "EnableMFADevice": "enable_mfa_device",
    "already_snake": "already_snake",
    "S3": "s3",
}


@pytest.mark.parametrize(("operation", "method"), NAMES.items())
def test_a_method_is_named_as_botocore_names_it(operation: str, method: str) -> None:
    """The expected names are what `botocore.xform_name` gives."""
    assert method_name(operation) == method
