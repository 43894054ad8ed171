/** Functions that a module calls, by the names it gives them. */
type Imports = Readonly<Record<string, Readonly<Record<string, (value: number) => number>>>>

/** The part of the platform's WebAssembly that is used; it needs no file and no network. */
interface Platform {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object, imports: Imports) => { readonly exports: unknown }
}

const compiled = new Map<string, object>()

/**
 * A new instance of a module with separate memory. The code is compiled once.
 *
 * @param text the module's bytes in base 64
 * @returns the exports
 */
export function instantiateWasm(text: string, imports: Imports = {}): unknown {
  const platform = (globalThis as unknown as { readonly WebAssembly: Platform }).WebAssembly
  let module = compiled.get(text)
  if (module === undefined) {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
    module = new platform.Module(bytes)
    compiled.set(text, module)
  }
  return new platform.Instance(module, imports).exports
}
