import { parseAbi } from 'viem'

export const aggregatorAbi = parseAbi([
  'function decimals() view returns (uint8)',
  'function phaseId() view returns (uint16)',
  'function phaseAggregators(uint16 phaseId) view returns (address)',
  'function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
  'event AnswerUpdated(int256 indexed current, uint256 indexed roundId, uint256 updatedAt)',
])

/** Bounds of an aggregator, named by its version. A price at a bound may hide any price beyond. */
export const aggregatorBoundsAbi = parseAbi([
  'function minAnswer() view returns (int192)',
  'function maxAnswer() view returns (int192)',
  'function minSubmissionValue() view returns (int256)',
  'function maxSubmissionValue() view returns (int256)',
])
