import type { contract } from '@liquidity-os/contract'
import { type Address, type Hex, parseAbi, toFunctionSelector, zeroAddress } from 'viem'
import { ask, type ChainClient } from '../../../../integrations/chain/client.ts'
import { answered, readContract } from '../../../../integrations/chain/contract-call.ts'
import { isDelegation } from '../../../../integrations/chain/delegation.ts'
import { blockArgument, type Pin } from '../../../../integrations/chain/finalized.ts'
import { readRunningCode } from '../../../../integrations/chain/running-code.ts'
import { addressIn, codeAt, readSafe } from '../../../../integrations/chain/safe-account.ts'
import { from, type Session } from './session.ts'

type Control = contract.PublicProjectAnalysis['control']
type OwnerKind = NonNullable<Control['ownerKind']['value']>
type Proxy = NonNullable<Control['proxy']['value']>

const ownerAbi = parseAbi(['function owner() view returns (address)'])

/** Keccak-256 of "PROXIABLE". @see EIP-1822 */
const proxiableSlot = '0xc5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7'

const selectorsOf = (...signatures: readonly string[]) =>
  signatures.map((signature) => toFunctionSelector(signature).slice(2))
const mintSelectors = selectorsOf(
  'function mint(address,uint256)',
  'function mint(uint256)',
  'function mint(address)',
  'function mintTo(address,uint256)',
)
const pauseSelectors = selectorsOf('function pause()')

/** Determines the accounts that control a token, from code, storage slots and `owner()`. */
export async function readControl(session: Session, address: Address): Promise<Control> {
  const [running, owner] = await Promise.all([
    session.ask((client, pin) => readRunning(client, pin, address)),
    session.ask((client, pin) => readOwner(client, pin, address)),
  ])
  const ownerKind = owner.missing
    ? owner
    : await session.ask((client, pin) => readKind(client, pin, owner.value))
  const slots = 'eth_getCode, eth_getStorageAt'
  return {
    proxy: session.fact(
      '/control/proxy',
      slots,
      from(running, ({ proxy }) => proxy),
    ),
    implementation: session.fact(
      '/control/implementation',
      slots,
      from(running, ({ implementation }) => implementation),
    ),
    admin: session.fact(
      '/control/admin',
      slots,
      from(running, ({ admin }) => admin),
    ),
    owner: session.fact('/control/owner', 'owner()', owner),
    ownerKind: session.fact('/control/ownerKind', 'eth_getCode, getOwners()', ownerKind),
    mint: session.fact(
      '/control/mint',
      'eth_getCode',
      from(running, ({ mint }) => mint),
    ),
    pause: session.fact(
      '/control/pause',
      'eth_getCode',
      from(running, ({ pause }) => pause),
    ),
  }
}

async function readRunning(client: ChainClient, pin: Pin, address: Address) {
  const [found, proxiable] = await Promise.all([
    readRunningCode(client, pin, address),
    addressIn(client, pin, address, proxiableSlot),
  ])
  const isDirect = found.kind === 'DIRECT'
  const proxy: Proxy = isDirect ? (proxiable ? 'EIP1822' : 'NONE') : found.kind
  const runs = isDirect ? proxiable : found.implementation
  const code = await codeAt(client, pin, runs ?? address)
  return {
    proxy,
    implementation: runs ?? ('NONE' as const),
    admin: found.admin ?? ('NONE' as const),
    mint: knows(code, mintSelectors),
    pause: knows(code, pauseSelectors),
  }
}

/**
 * True if the code compares with one of the selectors. solc and vyper push the four bytes of every
 * known selector.
 */
function knows(code: Hex, selectors: readonly string[]): 'SELECTOR' | 'ABSENT' {
  return selectors.some((selector) => code.includes(`63${selector}`)) ? 'SELECTOR' : 'ABSENT'
}

async function readOwner(
  client: ChainClient,
  pin: Pin,
  address: Address,
): Promise<Address | 'NONE'> {
  const owner = await answered(() =>
    readContract(client, pin, { address, abi: ownerAbi, functionName: 'owner' }),
  )
  return owner === null || owner === zeroAddress ? 'NONE' : owner
}

async function readKind(
  client: ChainClient,
  pin: Pin,
  owner: Address | 'NONE',
): Promise<OwnerKind> {
  if (owner === 'NONE') return 'NONE'
  const code = await ask<Hex>(client, 'eth_getCode', [owner, blockArgument(pin)])
  if (code === '0x') return 'EOA'
  if (isDelegation(code)) return 'EIP7702'
  return (await readSafe(client, pin, owner)) ? 'SAFE' : 'CONTRACT'
}
