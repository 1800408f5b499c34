# After the shared library has come or gone (RPM).
/sbin/ldconfig
