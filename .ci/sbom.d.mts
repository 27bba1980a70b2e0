export interface Component {
  readonly name: string;
  readonly version: string;
  /** Package URL. */
  readonly purl: string;
  /** SHA-512 in hex; absent for a package that comes inside another. */
  readonly hashes?: readonly { readonly alg: 'SHA-512'; readonly content: string }[];
}

/** The packages that the service uses, as CycloneDX 1.5. */
export function sbomOf(lockfile: unknown, options: { now: Date }): { readonly components: readonly Component[] };
