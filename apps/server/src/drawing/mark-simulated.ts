import {
  simulatedMarketOf,
  simulatedText,
  testNetworksIn,
} from '@liquidity-os/contract/test-networks'
import { breakText, ink, lineBetween, type Picture, textAt } from '@liquidity-os/drawing'

const letter = 11
const row = 15
const margin = 8

/**
 * Adds a strip with the mark SIMULATED below a picture whose subject names a local or test chain, and puts the mark before its
 * description. A picture of a main network is returned as it is.
 *
 * @param subject plain data; what it names as chain, pair, asset or account decides
 */
export function markSimulated(picture: Picture, subject: object): Picture {
  const simulated = simulatedMarketOf(testNetworksIn(textOf(subject)))
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

/** Subjects travel to a thread as they are, with integers that JSON does not know. */
const textOf = (subject: object): string =>
  JSON.stringify(subject, (_name, value: unknown) =>
    typeof value === 'bigint' ? `${value}` : value,
  )
