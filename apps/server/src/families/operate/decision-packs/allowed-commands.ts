import type { contract } from '@liquidity-os/contract'
import type { Pack } from './pack-types.ts'

type Name = contract.DecisionCommandName

const byState: Readonly<Record<string, readonly Name[]>> = {
  DRAFT: ['REVISE', 'REFRESH_EVIDENCE', 'SUBMIT', 'WITHDRAW'],
  VALIDATED: ['REVISE', 'REFRESH_EVIDENCE', 'APPROVE', 'DISSENT', 'REJECT', 'WITHDRAW'],
  COMPLETED: ['RECORD_OUTCOME'],
}

/** True if an undecided pack has expired, even if no sweep recorded it. */
export const isOver = (status: string, { expiresAt }: Pick<Pack, 'expiresAt'>, now: number) =>
  (status === 'DRAFT' || status === 'VALIDATED') && Date.parse(expiresAt) <= now

export function allowedCommands(status: string, pack: Pack, now: number): Name[] {
  return isOver(status, pack, now) ? [] : [...(byState[status] ?? [])]
}
