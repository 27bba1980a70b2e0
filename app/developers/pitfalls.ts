/** What integrations get wrong most often. */
export const PITFALLS: readonly { readonly title: string; readonly text: string }[] = [
  {
    title: 'Python writes floats differently',
    text: '`json.dumps` writes `1.0` and `1e-07`; the canonical form (RFC 8785) is `1` and `1e-7`. The signature is then valid for another message: `INVALID_SIGNATURE`. Use `canonical_json` of `perpetua.py` for the message and for the body. Sorting with `sort_keys` is not enough.',
  },
  {
    title: 'Duplicate keys',
    text: 'If a JSON object names a member twice, the last one counts here. Other parsers take the first, so two systems can read one signed body differently. Refuse such input before you sign it.',
  },
  {
    title: 'Clock skew',
    text: 'A signed request is valid for 5 minutes and may be at most 30 seconds ahead. Synchronize the clock, and sign just before you send. The errors `TIMESTAMP_TOO_OLD` and `TIMESTAMP_IN_FUTURE` contain `details.server_time`.',
  },
  {
    title: '10 requests a minute',
    text: 'Most writes are limited to 10 in any 60 seconds, per client address and per key. Put writes into a queue. Over the limit the response is 429 with `Retry-After`; sign again after that time.',
  },
  {
    title: 'Links and salts are returned once',
    text: 'The links of guardians (`url`, `invitations`, `links`) and the `salt` of a sealed entry are only in the response to the operation. The service stores digests of them and cannot return them again. Older SDKs drop these members: check that yours passes the whole response on.',
  },
  {
    title: 'Ids are texts',
    text: 'SDK 3.0 used numbers as ids. Identities, institutions and consents have UUIDs (those of consents begin with `tok_`), entries have transaction ids of 43 characters. Store them as text, and convert what you stored with SDK 3.0.',
  },
  {
    title: 'Repeating a request',
    text: 'If the response is lost, send the same bytes again within 5 minutes. The nonce keeps the operation single: the second request succeeds, or `NONCE_REUSED` names the entry of the first in `details.transactionId`. A new nonce could do the same thing twice.',
  },
  {
    title: 'What is sent must be what was signed',
    text: 'The message contains each value exactly as sent, before lower-casing and defaults. Sign `null` if you send `null`, and leave out what you leave out. Members in the path, such as `tokenId`, are signed too.',
  },
];
