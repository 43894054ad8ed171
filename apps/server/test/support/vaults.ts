import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import {
  createSafe,
  deployBeaconProxy,
  deployRoleToken,
  erc20Abi,
  type SafeRelease,
  type SafeTransaction,
  safeExecutionData,
  sendControl,
  signSafeMessage,
  signSafeTransaction,
} from '@liquidity-os/localchain'
import { type Address, encodeFunctionData, type Hex } from 'viem'
import { startWorkers } from '../../src/service.ts'
import { type TestChain, validatedPool } from './chain.ts'
import { callOperation } from './requests.ts'
import type { TestMember, TestService } from './service.ts'
import { until } from './until.ts'

export type Vault = VersionedRecord<contract.QualifiedVault>
export type Receipt = VersionedRecord<contract.ExecutionReceipt>

const reason = 'For the test'

/** An organization with a 2-of-3 Safe that holds a pool token for liquidity. */
export interface Vaulted {
  readonly owner: TestMember
  readonly safe: Address
  readonly entryId: string
}

export const ownersOf = ({ chain }: TestChain) => chain.accounts.slice(1, 4)

let salt = 1_000n

/** Creates the Safe, funds it with both tokens of the pool, and enters what it holds of the base into the ledger. */
export async function vaulted(
  test: TestChain,
  owner: TestMember,
  terms: { release?: SafeRelease; threshold?: number } = {},
): Promise<Vaulted> {
  const { chain, markets } = test
  salt += 1n
  const safe = await createSafe(chain, {
    owners: ownersOf(test).map(({ address }) => address),
    threshold: terms.threshold ?? 2,
    saltNonce: salt,
    ...(terms.release ? { release: terms.release } : {}),
  })
  for (const token of markets.tokens) {
    const args = [safe, 10n ** 18n] as const
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
    await chain.send({ from: chain.accounts[0]!.address, to: token, data })
  }
  await chain.mine(4)
  await validatedPool(owner, test)
  const [base] = markets.tokens
  const entry = await callOperation<{ id: string }>(owner, 'createTreasuryEntries', {
    body: {
      payload: {
        entryKind: 'ASSET',
        label: 'Depth',
        purpose: 'LIQUIDITY_PROGRAM',
        asset: `eip155:${chain.chainId}/erc20:${base.toLowerCase()}`,
        container: { kind: 'SAFE', chainId: chain.chainId, address: safe },
      },
      reason,
    },
  })
  if (entry.status !== 201) throw new Error(`${entry.code} ${JSON.stringify(entry.fieldErrors)}`)
  return { owner, safe, entryId: entry.data.id }
}

/** Reads the vaults of a holding by the API, and waits for the job and the registrations that it queues. */
export async function observed(
  service: TestService,
  { owner, entryId }: Vaulted,
): Promise<{ status: string; error?: { code: string } }> {
  const workers = await startWorkers(service.services)
  const queued = await callOperation<{ id: string }>(owner, 'observeVaults', {
    body: { payload: { entryId }, reason },
  })
  if (queued.status !== 201) throw new Error(queued.code)
  const jobs = async () => (await owner.client.listOperatingSystemJobs()).body.data
  const ended = async () =>
    (await jobs()).find(({ id, finishedAt }) => id === queued.data.id && finishedAt)
  await until('the vault has been read', async () => (await ended()) !== undefined)
  await until('the executions are registered', async () =>
    (await jobs()).every(({ kind, finishedAt }) => kind !== 'PROPOSAL_EXECUTION' || finishedAt),
  )
  await workers.stop()
  return (await ended()) as { status: string }
}

/** Runs the queued readings of Safes, and the registrations that they queue. */
export async function endReadings(service: TestService, owner: TestMember): Promise<void> {
  const workers = await startWorkers(service.services)
  await until('the readings and registrations have ended', async () =>
    (await owner.client.listOperatingSystemJobs()).body.data.every(
      ({ kind, finishedAt }) =>
        (kind !== 'VAULT_SNAPSHOT' && kind !== 'PROPOSAL_EXECUTION') || finishedAt,
    ),
  )
  await workers.stop()
}

export async function theVault(owner: TestMember): Promise<Vault> {
  const { data } = await callOperation<Vault[]>(owner, 'listQualifiedVaultsV2')
  if (data.length !== 1) throw new Error(`There are ${data.length} vaults.`)
  return data[0] as Vault
}

/** Oldest first. */
export async function receiptsOf(owner: TestMember): Promise<Receipt[]> {
  const { data } = await callOperation<Receipt[]>(owner, 'listExecutionReceiptsV2', {
    query: { order: 'OLDEST' },
  })
  return data
}

/** The data of a transaction that two owners of a Safe signed. */
export async function signedExecution(
  test: TestChain,
  safe: Address,
  call: Partial<SafeTransaction> & Pick<SafeTransaction, 'to' | 'nonce'>,
): Promise<Hex> {
  const { chain } = test
  const transaction: SafeTransaction = { value: 0n, data: '0x', operation: 0, ...call }
  const signers = ownersOf(test).slice(0, 2)
  const signatures = await signSafeTransaction(chain.chainId, safe, transaction, signers)
  return safeExecutionData(transaction, signatures)
}

export async function execute(
  test: TestChain,
  safe: Address,
  call: Parameters<typeof signedExecution>[2],
) {
  const data = await signedExecution(test, safe, call)
  const mined = await test.chain.send({ from: test.chain.accounts[8]!.address, to: safe, data })
  await test.chain.mine(3)
  return mined
}

/** Proves that a Safe controls something, as a vault needs it. */
export async function proveControl(test: TestChain, { owner, safe }: Vaulted): Promise<void> {
  const { chain } = test
  const { beacon } = await deployBeaconProxy(chain, await deployRoleToken(chain, 'OWN'))
  await sendControl(chain, chain.accounts[0]!.address, beacon, {
    functionName: 'transferOwnership',
    args: [safe],
  })
  await chain.mine(3)
  const claim = {
    chainId: chain.chainId,
    token: beacon,
    claimant: safe,
    method: 'OWNER',
    format: 'EIP712',
  }
  const issued = await callOperation<contract.ProjectControlChallengeView>(
    owner,
    'issueProjectControlChallenge',
    { body: { ...claim, reason } },
  )
  const { nonce, digest } = issued.data
  const signers = ownersOf(test).slice(0, 2)
  const signature = await signSafeMessage(chain.chainId, safe, digest as Hex, signers)
  const proven = await callOperation(owner, 'acceptProjectControlProof', {
    body: { nonce, signature, reason },
  })
  if (proven.status !== 201) throw new Error(proven.code)
}
