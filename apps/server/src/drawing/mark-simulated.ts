import {
  type SimulatedMarket,
  simulatedMarketOf,
  simulatedText,
  testNetworksIn,
} from '@liquidity-os/contract/test-networks'
import { breakText, ink, lineBetween, type Picture, textAt } from '@liquidity-os/drawing'

const letter = 11
const row = 15
const margin = 8

/**
 * True if the drawn subject references a local or test chain as chain, pair, asset or account.
 *
 * @param subject plain data
 */
export const simulatedIn = (subject: object): SimulatedMarket | null =>
  simulatedMarketOf(testNetworksIn(textOf(subject)))

/**
 * Subjects cross a thread boundary unchanged. They can contain bigints, which JSON lacks, and
 * bytes, which name no chain.
 */
const textOf = (subject: object): string =>
  JSON.stringify(subject, (_name, value: unknown) => {
    if (typeof value === 'bigint') return `${value}`
    return ArrayBuffer.isView(value) ? undefined : value
  })

/**
 * Adds a SIMULATED strip below a chart and prefixes its description. Charts of a main network stay
 * unchanged.
 */
export function markSimulated(picture: Picture, simulated: SimulatedMarket | null): Picture {
  if (simulated === null) return picture
  const text = simulatedText(simulated)
  const { width, height, shapes, description } = picture
  const lines = breakText(text, width - 2 * margin, letter, true)
  const stroke = { color: ink.axis, width: 0.7 }
  return {
    ...picture,
    description: `${text}. ${description}`,
    height: height + lines.length * row + margin,
    shapes: [
      ...shapes,
      lineBetween({ x: 0, y: height }, { x: width, y: height }, stroke),
      ...lines.map((line, index) =>
        textAt(margin, height + (index + 1) * row, line, { size: letter, isBold: true }),
      ),
    ],
  }
}
