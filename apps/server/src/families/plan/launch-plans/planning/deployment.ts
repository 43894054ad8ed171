import type { contract } from '@liquidity-os/contract'
import type { Address, Hex } from 'viem'
import { namedAsset } from '../../../../market/treasury/asset-keys.ts'

type Input = contract.LaunchPlanInput
type Say = (path: string, message: string) => void

/** A vesting contract of a plan. */
export interface PlannedVesting {
  readonly address: Address
  readonly codeHash: Hex
  /** Tokens of its allocations that unlock by schedule; atoms. */
  readonly tokens: bigint
}

/** True if part of the supply unlocks by schedule. */
export const isVesting = (allocations: readonly Pick<Allocation, 'vesting'>[]): boolean =>
  allocations.some(({ vesting }) => vesting !== undefined)

type Allocation = Input['allocations'][number]

/** The unique vesting contracts of a plan, each with its total tokens. */
export function plannedVesting({ deployment, allocations }: Input): PlannedVesting[] {
  const byAddress = new Map<string, PlannedVesting>()
  for (const { bucket, address, codeHash } of deployment?.vesting ?? []) {
    const allocation = allocations.find((one) => one.bucket === bucket)
    const own = allocation ? vestedTokens(allocation) : 0n
    const before = byAddress.get(address.toLowerCase())?.tokens ?? 0n
    byAddress.set(address.toLowerCase(), {
      address: address as Address,
      codeHash: codeHash as Hex,
      tokens: before + own,
    })
  }
  return [...byAddress.values()]
}

/** Tokens that are unlocked at launch are paid out, not deposited. */
const vestedTokens = ({ tokens, initialTokens = '0' }: Allocation) =>
  BigInt(tokens) - BigInt(initialTokens)

/** Validates the deployment of a plan against its token and allocations. */
export function validateDeployment(
  { token, quote, deployment, allocations }: Input,
  say: Say,
): void {
  if (!deployment) return
  const { vesting, pool } = deployment
  const assets = [namedAsset(token), namedAsset(quote)]
  const [first, second] = assets.map((one) => (one.kind === 'TOKEN' ? one.chainId : null))
  if (first === null) say('deployment', `must be omitted: ${token} is not a token on a chain`)
  if (pool && first !== second) {
    const tokenProblem = `must be omitted: token and quote are not tokens on one chain, got ${token} and ${quote}`
    say('deployment.pool', tokenProblem)
  }
  if (pool && (pool.kind === 'UNISWAP_V3') !== (pool.feePips !== undefined)) {
    const feeRule = pool.feePips === undefined ? 'is required' : 'must be omitted'
    say('deployment.pool.feePips', `${feeRule} with ${pool.kind}`)
  }
  const scheduled = allocations.filter((one) => one.vesting !== undefined)
  for (const [index, one] of vesting.entries()) {
    const at = `deployment.vesting.${index}`
    if (!scheduled.some(({ bucket }) => bucket === one.bucket)) {
      say(`${at}.bucket`, `must be an allocation with a schedule, got ${one.bucket}`)
    }
    const before = vesting.slice(0, index)
    if (before.some(({ bucket }) => bucket === one.bucket)) {
      say(`${at}.bucket`, `must be unique, got ${one.bucket} twice`)
    }
    const other = before.find(({ address }) => isSame(address, one.address))
    if (other && other.codeHash !== one.codeHash) {
      const hashProblem = `must be ${other.codeHash}, the earlier value for ${one.address}, got ${one.codeHash}`
      say(`${at}.codeHash`, hashProblem)
    }
  }
  const missing = scheduled.find(({ bucket }) => !vesting.some((one) => one.bucket === bucket))
  if (missing) say('deployment.vesting', `must name the contract that vests ${missing.bucket}`)
}

export const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/** Message if a gate or step needs a deployment that the plan does not contain. */
export const deploymentMissing =
  'The plan has no `deployment`. Create a plan with a deployment to replace this one.'

/** The same for a plan whose deployment has no pool. */
export const poolMissing =
  'The plan has no `deployment.pool`. Create a plan with a pool to replace this one.'
