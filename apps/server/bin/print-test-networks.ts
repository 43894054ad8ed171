/**
 * Prints the test network list of the contract from viem's chain definitions: `node
 * apps/server/bin/print-test-networks.ts`. IDs, names and the `testnet` flag follow
 * https://github.com/ethereum-lists/chains. `verify.mjs` and `verify.py` contain copies of the IDs
 * because they import no module.
 */
import { writeFileSync } from 'node:fs'
import type { Chain } from 'viem'
import * as definitions from 'viem/chains'

/**
 * Chains that run on one machine, and retired test networks that viem no longer lists as such. The id of Kovan, 42, is that of
 * LUKSO's main network now.
 */
const added: Readonly<Record<number, string>> = {
  3: 'Ropsten',
  4: 'Rinkeby',
  1337: 'Local test chain',
  31337: 'Local test chain',
}
/** Main networks that viem marks as test networks. */
const mainNetworks: ReadonlySet<number> = new Set([1_187_947_933])

/** Every test network as its id and name, in the order of the ids. */
export function printTestNetworks(): string {
  const chains: readonly Chain[] = Object.values<unknown>(definitions).filter(isChain)
  // An ID that a main network also uses cannot mark a market as simulated.
  const used = new Set(chains.flatMap(({ id, testnet }) => (testnet ? [] : [id])))
  const names = new Map<number, string>()
  for (const { id, name, testnet } of chains) {
    if (testnet && !used.has(id) && !mainNetworks.has(id)) names.set(id, names.get(id) ?? name)
  }
  for (const [id, name] of Object.entries(added)) names.set(Number(id), name)
  const sorted = [...names].toSorted(([a], [b]) => a - b)
  const lines = sorted.map(
    ([id, name]) => `  ${JSON.stringify(String(id))}: ${JSON.stringify(name)}`,
  )
  return `{\n${lines.join(',\n')}\n}\n`
}

const isChain = (value: unknown): value is Chain =>
  typeof value === 'object' && value !== null && 'id' in value && 'nativeCurrency' in value

const file = new URL('../../../packages/contract/src/generated/test-networks.json', import.meta.url)
if (import.meta.main) writeFileSync(file, printTestNetworks())
