import type { contract } from '@liquidity-os/contract'
import type { Picture, Shape } from '../picture.ts'

export type Attribution = contract.ExecutionAttribution

/** A picture of an attribution with the figures from which it is drawn. */
export interface Drawing {
  readonly picture: Picture
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | number | null)[])[]
}

/** Width of every picture: that of the text on a page. */
export const drawingWidth = 760

export function drawing(
  about: Pick<Picture, 'id' | 'title' | 'description'>,
  table: Pick<Drawing, 'columns' | 'rows'>,
  drawn: { readonly height: number; readonly shapes: readonly Shape[] },
): Drawing {
  return { picture: { ...about, width: drawingWidth, ...drawn }, ...table }
}

/** Atoms as whole tokens, for places on paper only. */
export const tokens = (atoms: string, decimals: number): number => Number(atoms) / 10 ** decimals

/** A price in quote atoms per base atom times 1e18 as quote tokens per base token. */
export function tokenPrice(priceX18: string, { pair }: Attribution['request']): number {
  return (Number(priceX18) / 1e18) * 10 ** (pair.baseDecimals - pair.quoteDecimals)
}
