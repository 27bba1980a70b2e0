/** The parameters of an address with others set; an empty text removes one. */
export function withParameters(
  address: Pick<URLSearchParams, 'toString'>,
  changes: Readonly<Record<string, string>>,
): URLSearchParams {
  const parameters = new URLSearchParams(address.toString());
  for (const [name, text] of Object.entries(changes)) {
    if (text === '') parameters.delete(name);
    else parameters.set(name, text);
  }
  return parameters;
}
