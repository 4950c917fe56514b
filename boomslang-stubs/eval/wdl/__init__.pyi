from . import conversion as conversion
