/** Whether an Accept header (RFC 9110 §12.5.1) prefers application/json, or ranks it equal to HTML. */
export const prefersJson = (accept?: string): boolean =>
  prefers(accept, ['application/json'], ['text/html', 'text/*', '*/*']);

/** Whether an Accept header names one of the `preferred` types and ranks none of `others` higher. The first of each list that it names counts. */
export function prefers(accept = '', preferred: readonly string[], others: readonly string[]): boolean {
  const weights = new Map(accept.split(',').map(weighted));
  const weightOf = (types: readonly string[]): number => {
    const named = types.find((type) => weights.has(type));
    return named === undefined ? 0 : (weights.get(named) ?? 0);
  };
  return weightOf(preferred) > 0 && weightOf(preferred) >= weightOf(others);
}

function weighted(range: string): [type: string, weight: number] {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  return [type, weight === undefined ? 1 : Number(weight) || 0];
}
