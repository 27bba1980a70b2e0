/** Confirmed guardians and whether they are required, an index of guardian keys, and links of destroyed identities. */
export const confirmedGuardians = `
UPDATE beos SET recovery = recovery || '{"requiredSince": null}';

-- Keys named in a configuration are confirmed. They are in the public part of its sealed entry, at the end of the item.
WITH named AS (
  SELECT entity_id, guardian ->> 'guardian_id' AS id, min(accepted_at) AS at
  FROM (SELECT entity_id, accepted_at,
          convert_from(substring(item FROM position('{"accepted_at":'::bytea IN item)), 'UTF8')::jsonb -> 'public' AS facts
        FROM ledger_entries WHERE function IN ('createBEO', 'updateRecovery')) entry,
    jsonb_array_elements(coalesce(facts -> 'guardians', '[]')) AS guardian
  WHERE guardian ->> 'public_key' IS NOT NULL
  GROUP BY 1, 2
)
UPDATE beos SET recovery = jsonb_set(recovery, '{guardians}', (
  SELECT jsonb_agg(guardian || jsonb_build_object('namedAt', named_at)
      -- A guardian who is eligible anyway has no grace period.
      || CASE WHEN named_at IS NOT NULL AND guardian ->> 'status' = 'ACTIVE' AND (recovery ->> 'enabled')::boolean
         THEN '{"countsUntil": null}' ELSE '{}' END::jsonb ORDER BY place)
  FROM jsonb_array_elements(recovery -> 'guardians') WITH ORDINALITY AS numbered (guardian, place),
    LATERAL (SELECT (SELECT to_char(named.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') FROM named
      WHERE named.entity_id = beos.id::text AND named.id = guardian ->> 'guardianId'
        AND guardian ->> 'acceptedAt' IS NOT NULL) AS named_at) AS naming))
  WHERE jsonb_array_length(recovery -> 'guardians') > 0;
UPDATE ieos SET recovery = jsonb_set(recovery, '{guardians}',
  (SELECT jsonb_agg(guardian || '{"namedAt": null}') FROM jsonb_array_elements(recovery -> 'guardians') AS guardian))
  WHERE jsonb_array_length(recovery -> 'guardians') > 0;

CREATE FUNCTION accepted_guardian_keys(recovery jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN jsonb_path_query_array(recovery, '$.guardians[*] ? (@.acceptedAt != null).publicKey');
CREATE INDEX beos_guardian_keys ON beos USING gin (accepted_guardian_keys(recovery))
  WHERE recovery @? '$.guardians[*].acceptedAt ? (@ != null)';

-- Does not record whose links they were.
CREATE TABLE destroyed_links (
  token_hash bytea PRIMARY KEY,
  kind text NOT NULL,
  destroyed_at timestamptz NOT NULL
);
CREATE INDEX destroyed_links_at ON destroyed_links (destroyed_at);
`;
