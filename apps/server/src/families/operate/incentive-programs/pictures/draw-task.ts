export { incentivePictures as default } from './incentive-pictures.ts'
