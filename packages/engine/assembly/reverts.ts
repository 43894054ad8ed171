// Why the contract refuses, as numbers that cross the boundary; the wrapper turns them into its words.

export const NONE: i32 = 0
/** A refusal without a word. */
export const BLANK: i32 = 1
export const AS: i32 = 2
export const LOK: i32 = 3
export const SPL: i32 = 4
export const LS: i32 = 5
export const LA: i32 = 6
export const LO: i32 = 7
export const TF: i32 = 8
export const TLU: i32 = 9
export const TLM: i32 = 10
export const TUM: i32 = 11
export const NP: i32 = 12
