/** Where the command writes; a terminal says so. */
export interface Output {
  write(text: string): unknown
  readonly isTTY?: boolean | undefined
}
