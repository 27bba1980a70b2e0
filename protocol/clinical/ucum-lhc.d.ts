/** The part that a test uses; the package has no types. */
declare module '@lhncbc/ucum-lhc' {
  interface Utils {
    validateUnitString(unit: string): { readonly status: string };
    convertUnitTo(
      from: string,
      value: number,
      to: string,
      options?: { readonly molecularWeight: number },
    ): { readonly toVal: number | null };
  }
  export const UcumLhcUtils: { getInstance(): Utils };
}
