import { type Address, type Hex, parseAbi, zeroAddress } from 'viem'
import type { ChainClient } from '../../../integrations/chain/client.ts'
import { answered, readContract } from '../../../integrations/chain/contract-call.ts'
import type { Pin } from '../../../integrations/chain/finalized.ts'
import { readRole } from './roles.ts'

const timelockAbi = parseAbi([
  'function PROPOSER_ROLE() view returns (bytes32)',
  'function EXECUTOR_ROLE() view returns (bytes32)',
  'function getMinDelay() view returns (uint256)',
])

/** A contract that acts only after a delay, with the rights of an account in it. */
export interface Timelock {
  readonly proposerRole: Hex
  readonly isProposer: boolean
  /** Seconds, decimal. */
  readonly minDelaySeconds: string
  readonly isExecutionOpen: boolean
}

/**
 * Reads a timelock at a pinned block.
 *
 * @returns null if the contract is not a timelock
 * @see OpenZeppelin TimelockController; a role of the zero address is open to all accounts
 */
export async function readTimelock(
  client: ChainClient,
  pin: Pin,
  address: Address,
  account: Address,
): Promise<Timelock | null> {
  const at = { address, abi: timelockAbi } as const
  const answers = await answered(() =>
    Promise.all([
      readContract(client, pin, { ...at, functionName: 'PROPOSER_ROLE' }),
      readContract(client, pin, { ...at, functionName: 'EXECUTOR_ROLE' }),
      readContract(client, pin, { ...at, functionName: 'getMinDelay' }),
    ]),
  )
  if (answers === null) return null
  const [proposerRole, executorRole, delay] = answers
  const [isProposer, isExecutor, mayAnybody] = await Promise.all([
    readRole(client, pin, address, { role: proposerRole, account }),
    readRole(client, pin, address, { role: executorRole, account }),
    readRole(client, pin, address, { role: executorRole, account: zeroAddress }),
  ])
  if (isProposer === null) return null
  return {
    proposerRole,
    isProposer,
    minDelaySeconds: `${delay}`,
    isExecutionOpen: isExecutor === true || mayAnybody === true,
  }
}
