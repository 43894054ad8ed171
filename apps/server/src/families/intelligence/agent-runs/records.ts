import { contract } from '@liquidity-os/contract'
import { recordFamily } from '../../record-family.ts'

export const agentRuns = recordFamily(contract.agentRunFamily)

export type Run = contract.AgentRun
export type Protocol = contract.ResearchProtocol
export type Draft = contract.ResearchProtocolDraft
export type Trial = Run['trials'][number]
