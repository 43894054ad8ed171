import type { contract } from '@liquidity-os/contract'

type Code = contract.ProposalFlagCode

/** Title and meaning of a warning. */
interface FlagText {
  readonly title: string
  readonly meaning: string
}

export const flagTexts: Readonly<Record<Code, FlagText>> = {
  DELEGATECALL: {
    title: 'Runs foreign code as the Safe',
    meaning: 'A delegate call can change anything in the Safe, including its owners.',
  },
  UNKNOWN_SELECTOR: {
    title: 'Unknown function',
    meaning: 'No decoder knows this call, so its effect is unknown.',
  },
  TARGET_WITHOUT_CODE: {
    title: 'The target has no code',
    meaning: 'The call would succeed without any effect.',
  },
  SIMULATION_REVERTS: {
    title: 'The simulation fails',
    meaning: 'The transaction would fail on chain.',
  },
  CONTROL_CHANGE: {
    title: 'Changes who controls the Safe',
    meaning: 'Only a proposal of the kind owner change may do this.',
  },
  EFFECT_OUTSIDE_EXPECTED: {
    title: 'Moves other amounts than expected',
    meaning: 'The simulated balances differ from the amounts that the preparer declared.',
  },
  UNLIMITED_APPROVAL: {
    title: 'Allowance without limit',
    meaning: 'The spender can take the whole balance at any time until the allowance is revoked.',
  },
  RECIPIENT_NOT_SAFE: {
    title: 'Sends funds outside the Safe',
    meaning: 'The proposal does not have the kind treasury transfer.',
  },
  NESTED_BATCH: {
    title: 'Batch inside a batch',
    meaning: 'The call contains further calls.',
  },
  NEW_COUNTERPARTY: {
    title: 'New counterparty',
    meaning: 'The Safe has never dealt with this address before.',
  },
  SIMULATION_PARTIAL: {
    title: 'The simulation is incomplete',
    meaning: 'Some effects are unknown.',
  },
  SOURCE_SUPERSEDED: {
    title: 'A source has a newer version',
    meaning: 'A record that this proposal uses has changed. Ask the preparer for a new proposal.',
  },
  NO_POLICY: {
    title: 'No policy covers this action',
    meaning: 'No limits were checked.',
  },
  POLICY_NOT_ALLOWED: {
    title: 'The policy does not allow this',
    meaning: 'The policy denies the action, or cannot decide it.',
  },
}

/** Warnings whose detail is a message of the chain or of the simulation, for readers. */
const quoted: ReadonlySet<Code> = new Set(['SIMULATION_REVERTS'])

export interface Warning extends FlagText {
  readonly code: Code
  readonly isBlocking: boolean
  /** Addresses in the details of these flags. */
  readonly addresses: readonly string[]
  readonly details: readonly string[]
}

/** One warning per code. Blocking warnings come first. */
export function warningsOf(flags: readonly contract.ProposalFlag[]): Warning[] {
  const byCode = Map.groupBy(flags, ({ code }) => code)
  return [...byCode]
    .map(([code, same]): Warning => {
      const texts = same.map(({ detail }) => detail)
      const addresses = texts.flatMap((text) => text.match(/\b0x[0-9a-fA-F]{40}\b/g) ?? [])
      return {
        ...flagTexts[code],
        code,
        isBlocking: same.some(({ severity }) => severity === 'BLOCK'),
        addresses: [...new Set(addresses)],
        details: quoted.has(code) ? [...new Set(texts)] : [],
      }
    })
    .toSorted((a, b) => Number(b.isBlocking) - Number(a.isBlocking))
}
