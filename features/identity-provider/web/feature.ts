export const texts = { entry: ['ACCOUNT', 'DOOR', 'INVITATION', 'SET_UP', 'SIGN_IN'] };
