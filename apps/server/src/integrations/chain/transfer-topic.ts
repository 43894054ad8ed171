import type { Hex } from 'viem'

/** `Transfer(address,address,uint256)` of ERC-20; ERC-721 has the same, with the id as a fourth topic. */
export const transferTopic: Hex =
  '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
