import type { Payment } from './call-effects.ts'

/** Assets that the calls pay and whose balance the simulation does not change, such as NFTs. */
export function unmeasuredAssets(
  payments: readonly Pick<Payment, 'asset'>[],
  effects: readonly { asset: string; delta: string }[],
): string[] {
  const changed = new Set(
    effects.filter(({ delta }) => delta !== '0').map(({ asset }) => asset.toLowerCase()),
  )
  const paid = new Map(payments.map(({ asset }) => [asset.toLowerCase(), asset]))
  return [...paid].flatMap(([key, asset]) => (changed.has(key) ? [] : [asset]))
}
