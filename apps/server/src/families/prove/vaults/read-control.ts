import type { contract } from '@liquidity-os/contract'
import type { Address } from 'viem'
import type { ChainClient } from '../../../integrations/chain/client.ts'
import { isDelegation } from '../../../integrations/chain/delegation.ts'
import { agreeOnAnswer, type Pin, readAtBlock } from '../../../integrations/chain/finalized.ts'
import {
  codeAt,
  handlerNameOf,
  readSafe,
  readSafeCode,
  type SafeAccount,
} from '../../../integrations/chain/safe-account.ts'
import { keccak256 } from '../../../keccak256.ts'
import type { PinnedChain } from '../../../market/treasury/treasury-snapshot.ts'

type Attached = contract.QualifiedVault['attached'][number]

/**
 * A Safe and its dependencies at one block; `control` is null if its code no longer responds like a
 * Safe.
 */
export interface ControlReading {
  readonly code: Awaited<ReturnType<typeof readSafeCode>>
  readonly control: contract.SafeControl | null
  readonly attached: readonly Attached[]
}

const ascending = (addresses: readonly Address[]) =>
  addresses.toSorted((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1))

/**
 * Reads who controls a Safe at the snapshot block, through every provider of the chain. All
 * providers must agree.
 *
 * The singleton is read from its storage slot, because the code can misreport it.
 *
 * @throws ChainError like the reads
 */
export function readControl(
  { clients, block }: PinnedChain,
  safe: Address,
): Promise<ControlReading> {
  return agreeOnAnswer(clients, (client) =>
    readAtBlock(client, block, (pin) => readAll(client, pin, safe)),
  )
}

async function readAll(client: ChainClient, pin: Pin, address: Address): Promise<ControlReading> {
  const [code, safe] = await Promise.all([
    readSafeCode(client, pin, address),
    readSafe(client, pin, address),
  ])
  if (safe === null) return { code, control: null, attached: [] }
  const [attached, owned] = await Promise.all([
    attachedTo(client, pin, safe),
    Promise.all(safe.owners.map((owner) => codeAt(client, pin, owner))),
  ])
  const ownersWithCode = safe.owners.filter((_, index) => {
    const found = owned[index] ?? '0x'
    return found !== '0x' && !isDelegation(found)
  })
  return { code, control: controlOf(safe, ownersWithCode), attached }
}

function controlOf(safe: SafeAccount, ownersWithCode: readonly Address[]): contract.SafeControl {
  const { version, codeHash, singleton, singletonCodeHash, owners, threshold } = safe
  const { modules, guard, moduleGuard, fallbackHandler, nonce } = safe
  return {
    // The contract chooses the text; its length is unlimited.
    version: version.slice(0, 40),
    codeHash,
    singleton,
    singletonCodeHash,
    owners: ascending(owners),
    ownersWithCode: ascending(ownersWithCode),
    threshold,
    modules: [...modules],
    guard,
    moduleGuard,
    fallbackHandler,
    nonce: `${nonce}`,
  }
}

async function attachedTo(client: ChainClient, pin: Pin, safe: SafeAccount): Promise<Attached[]> {
  const places: readonly (readonly [Attached['role'], Address | null])[] = [
    ...safe.modules.map((module) => ['MODULE', module] as const),
    ['GUARD', safe.guard],
    ['MODULE_GUARD', safe.moduleGuard],
    ['FALLBACK_HANDLER', safe.fallbackHandler],
  ]
  const found = await Promise.all(
    places.map(async ([role, address]): Promise<Attached[]> => {
      if (address === null) return []
      const codeHash = keccak256(await codeAt(client, pin, address))
      return [{ role, address, codeHash, name: handlerNameOf(codeHash) }]
    }),
  )
  return found.flat()
}
