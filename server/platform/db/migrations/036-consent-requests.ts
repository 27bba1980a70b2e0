/** Requests of institutions for a consent that are too long for a QR code, as they were signed, until they end. Protocol §11. */
export const consentRequests = `
CREATE TABLE consent_requests (
  id text PRIMARY KEY,
  ieo_id uuid NOT NULL,
  valid_until timestamptz NOT NULL,
  request text NOT NULL
);
CREATE INDEX consent_requests_of ON consent_requests (ieo_id);
CREATE INDEX consent_requests_end ON consent_requests (valid_until);
`;
