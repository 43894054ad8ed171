import type { contract, FieldErrors } from '@liquidity-os/contract'
import { type Address, type Hex, isAddressEqual } from 'viem'
import { Failure } from '../../../failure.ts'
import type { ControlClaim, PathFault } from './control-path.ts'

type Claimed = Pick<
  contract.ProjectControlChallenge,
  'token' | 'claimant' | 'method' | 'role' | 'via' | 'deploymentTxHash'
>

/** Claim of a stored challenge or proof. The schemas of both normalize addresses and hashes. */
export function claimOf(claimed: Claimed): ControlClaim {
  const { token, claimant, method, role, via, deploymentTxHash } = claimed
  return {
    token: token as Address,
    claimant: claimant as Address,
    method,
    role: role as Hex | null,
    via: via as Address[],
    deploymentTxHash: deploymentTxHash as Hex | null,
  }
}

/**
 * Claim of a request, with exactly the fields that its method needs.
 *
 * @throws Failure 400
 */
export function requestedClaim(input: contract.ProjectControlChallengeInput): ControlClaim {
  const { method, role = null, via = [], deploymentTxHash = null } = input
  const faults: FieldErrors = {}
  const need = (field: string, isNeeded: boolean, given: unknown) => {
    if (isNeeded && given === null) faults[field] = [`must be set with method ${method}`]
    if (!isNeeded && given !== null) faults[field] = [`must be omitted with method ${method}`]
  }
  need('role', method === 'ROLE', role)
  need('deploymentTxHash', method === 'DEPLOYER', deploymentTxHash)
  if (method === 'DEPLOYER' && via.length > 0) {
    faults.via = ['must be empty with method DEPLOYER: that path has no intermediate step']
  }
  const stations = [input.token, ...via, input.claimant] as Address[]
  const twice = stations.findIndex((one, index) =>
    stations.slice(0, index).some((other) => isAddressEqual(one, other)),
  )
  if (twice > 0) {
    const field = twice === stations.length - 1 ? 'claimant' : `via.${twice - 1}`
    faults[field] = ['must be on the path only once']
  }
  if (Object.keys(faults).length > 0) {
    throw new Failure('LIQUIDITY_INVALID_REQUEST', { fieldErrors: faults })
  }
  return claimOf({ ...input, role, via, deploymentTxHash })
}

/** The first failed step, with the request fields that it depends on. */
export function fieldErrorsOf(
  { hop, from, to, detail }: PathFault,
  { method, via }: ControlClaim,
): FieldErrors {
  const proof = method === 'ROLE' ? ['role'] : method === 'DEPLOYER' ? ['deploymentTxHash'] : []
  const origin = hop === 0 ? ['token', ...proof] : [`via.${hop - 1}`]
  const target = hop < via.length ? `via.${hop}` : 'claimant'
  const message = `step ${hop + 1}, from ${from} to ${to}: ${from} ${detail}`
  return Object.fromEntries([...origin, target].map((field) => [field, [message]]))
}
