import { type SimulatedMarket, simulatedText } from '@liquidity-os/contract/test-networks'
import { escapeXml } from '@liquidity-os/drawing/markup'

/** The simulated mark as a line of a page, before its figures; omitted for a mainnet market. */
export const simulatedLines = (simulated: SimulatedMarket | null | undefined): string[] =>
  simulated ? [`<p class="state PARTIAL">${escapeXml(simulatedText(simulated))}</p>`] : []

/** The mark as a pair of a name and a value. */
export const simulatedFacts = (
  simulated: SimulatedMarket | null | undefined,
): [string, string][] => (simulated ? [['evidence', simulatedText(simulated)]] : [])
