export interface Output {
  write(text: string): unknown
  readonly isTTY?: boolean | undefined
}
