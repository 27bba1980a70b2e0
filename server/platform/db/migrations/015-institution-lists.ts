/**
 * The search for institutions without sorting all matches; the end of a certification as a column, for the filter by
 * level; indexes of the institute's proposals by date and institution.
 */
export const institutionLists = `
ALTER TABLE ieos ADD COLUMN cert_expires_at timestamptz;
UPDATE ieos SET cert_expires_at = (certification ->> 'expiresAt')::timestamptz WHERE certification ->> 'expiresAt' IS NOT NULL;

CREATE INDEX ieos_certified ON ieos (cert_level, created_seq DESC) INCLUDE (ieo_type, cert_expires_at)
  WHERE status = 'ACTIVE' AND cert_level <> 'UNCERTIFIED';
CREATE INDEX ieos_certified_type ON ieos (cert_level, ieo_type, created_seq DESC) INCLUDE (cert_expires_at)
  WHERE status = 'ACTIVE' AND cert_level <> 'UNCERTIFIED';
CREATE INDEX ieos_certified_until ON ieos (cert_level, cert_expires_at) INCLUDE (ieo_type)
  WHERE status = 'ACTIVE' AND cert_level <> 'UNCERTIFIED' AND cert_expires_at IS NOT NULL;

CREATE FUNCTION ieo_words(name text, domain text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN to_tsvector('simple'::regconfig, translate(
    coalesce(name, '') || ' ' || domain,
    '!"#$%&''()*+,-./:;<=>?@[\\]^_\`{|}~¡¢£§©«®°´·»¿–—‘’‚“”„†‡•…‹›€™\u00a0',
    repeat(' ', 80)
  ));
-- The conditions match no other index: with LIMIT and without statistics the planner would otherwise scan one of those
-- and compute the words of every row.
DROP INDEX ieos_words;
CREATE INDEX ieos_words_certified ON ieos USING gin (ieo_words(display_name, domain))
  WHERE status || '' = 'ACTIVE' AND cert_level || '' <> 'UNCERTIFIED';
CREATE INDEX ieos_words_uncertified ON ieos USING gin (ieo_words(display_name, domain))
  WHERE status || '' = 'ACTIVE' AND cert_level || '' = 'UNCERTIFIED';

CREATE INDEX proposals_newest ON proposals (opened_at DESC, id);
CREATE INDEX proposals_of_institution ON proposals (ieo_id);
`;
