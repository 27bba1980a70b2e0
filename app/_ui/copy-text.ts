/** @throws {Error} where the browser does not let us. */
export async function copyText(text: string): Promise<void> {
  if (!navigator.clipboard) throw new Error('The clipboard is only there on secure pages.');
  await navigator.clipboard.writeText(text);
}
