import type { contract } from '@liquidity-os/contract'
import { canonicalize } from '@liquidity-os/evidence'

type Adapter = contract.Adapter
type Keyed = readonly (readonly [string, unknown])[]

/**
 * Differences of two lists of adapters, one line each. `WIDENED` marks an adapter that allows more to
 * a policy that approved it before.
 */
export function diffAdapters(before: readonly Adapter[], after: readonly Adapter[]): string[] {
  const [old, next] = [byId(before), byId(after)]
  const ids = [...new Set([...old.keys(), ...next.keys()])].sort()
  return ids.flatMap((id) => {
    const [was, is] = [old.get(id), next.get(id)]
    if (!is) return [`REMOVED ${id}`]
    if (!was) return [`ADDED ${id}`]
    return [
      ...changes(functionsOf(was), functionsOf(is), {
        added: (name) => `WIDENED ${id}: function ${name}`,
        changed: (name) => `WIDENED ${id}: function ${name} has other roles`,
        removed: (name) => `NARROWED ${id}: function ${name}`,
      }),
      ...changes(contractsOf(was), contractsOf(is), {
        added: (name) => `CONTRACT ${id}: ${name} added`,
        changed: (name) => `CODE ${id}: ${name} has other evidence`,
        removed: (name) => `CONTRACT ${id}: ${name} removed`,
      }),
      ...(canonicalize(was.templates ?? []) === canonicalize(is.templates ?? [])
        ? []
        : [`CODE ${id}: other templates`]),
    ]
  })
}

const byId = (adapters: readonly Adapter[]) =>
  new Map(adapters.map((adapter) => [adapter.adapterId, adapter]))

const functionsOf = ({ functions }: Adapter): Keyed =>
  functions.map((one) => [
    `${one.selector} ${one.signature.slice(0, one.signature.indexOf('('))}`,
    one,
  ])

const contractsOf = ({ contracts }: Adapter): Keyed =>
  contracts.map((one) => [`eip155:${one.chainId} ${one.address}`, one])

function changes(
  before: Keyed,
  after: Keyed,
  line: Readonly<Record<'added' | 'changed' | 'removed', (name: string) => string>>,
): string[] {
  const old = new Map(before.map(([name, value]) => [name, canonicalize(value)]))
  const next = new Map(after.map(([name, value]) => [name, canonicalize(value)]))
  const names = [...new Set([...old.keys(), ...next.keys()])].sort()
  return names.flatMap((name) => {
    const [was, is] = [old.get(name), next.get(name)]
    if (was === is) return []
    return [
      was === undefined
        ? line.added(name)
        : is === undefined
          ? line.removed(name)
          : line.changed(name),
    ]
  })
}
