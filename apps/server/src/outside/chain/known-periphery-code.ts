import type { KnownCode } from './known-code.ts'

/**
 * The contracts through which positions are moved, as published in `@uniswap/v3-periphery` 1.4.4,
 * `@uniswap/v2-periphery` 1.1.0-beta.0 and `@safe-global/safe-contracts` 1.4.1. Immutables are the words that
 * a PUSH32 of the build leaves zero. A test computes every figure again.
 */
export const positionManagerCode: KnownCode = {
  name: 'NonfungiblePositionManager 1.4.4',
  hash: '0x3247cdc75425fff3d9842c11743e686e336762388649ab50eeb22e9365616463',
  bytes: 24384,
  immutables: [
    665, 2727, 3550, 3749, 5342, 5375, 5912, 6158, 6294, 10781, 10883, 11043, 11844, 14049, 15965,
    16035, 16151,
  ],
}

export const swapRouterCode: KnownCode = {
  name: 'SwapRouter 1.4.4',
  hash: '0x00a8fe172447e3376988fc3dfb36f204f042ffb01bb0808d55d95899eff15745',
  bytes: 12070,
  immutables: [303, 1411, 1709, 1863, 1927, 2225, 3526, 5132, 7235, 7331, 7460, 7718],
}

export const v2RouterCode: KnownCode = {
  name: 'UniswapV2Router02 1.1.0-beta.0',
  hash: '0x309e403331e84c15ac3797595653f15bb240a8b43d186da5ffddaa8540ec4d94',
  bytes: 21943,
  immutables: [
    428, 3677, 3736, 4053, 4295, 4549, 4760, 4971, 5028, 5455, 5874, 6116, 6324, 6358, 6817, 7710,
    8098, 8306, 8569, 8799, 9004, 9153, 9216, 9641, 9843, 10010, 10223, 10484, 10716, 10845, 10908,
    11743, 12401, 12442, 12490, 12524, 12967, 13346, 13398, 13432, 13484, 13613, 14151, 14381,
    14583, 14732, 14795, 17482, 17549, 18413, 18894, 20297, 20522, 20650,
  ],
}

export const multiSendCallOnlyCode: KnownCode = {
  name: 'MultiSendCallOnly 1.4.1',
  hash: '0xecd5bd14a08c5d2122379900b2f272bdf107a7e92423c10dd5fe3254386c9939',
  bytes: 410,
  immutables: [],
}
