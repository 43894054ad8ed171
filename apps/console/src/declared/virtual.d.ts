/** Printed by the build; `families.ts` gives it its types. */
declare module 'virtual:declarations' {
  export const index: unknown
  export const load: unknown
}
declare module '*.module.css' {
  const names: Readonly<Record<string, string>>
  export default names
}
declare module '*.css' {}
/** The part that `packages/evidence` uses; `api/sha256.ts` implements it. */
declare module 'node:crypto' {
  export function hash(name: 'sha256', data: string | Uint8Array, form: 'hex'): string
  export function hash(name: 'sha256', data: string | Uint8Array, form: 'buffer'): Uint8Array
}
